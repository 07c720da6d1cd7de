import { Tabs } from '@mantine/core';
import { useWords } from '../../app/language.tsx';
import { Page } from '../../parts/notes.tsx';
import { FacetsTab } from './FacetsTab.tsx';
import { BannersTab, HotsitesTab, RedirectsTab, SynonymsTab } from './lists.tsx';
import { RulesTab } from './RulesTab.tsx';
import { merchandisingWords } from './words.ts';

const TABS = {
  rules: RulesTab,
  synonyms: SynonymsTab,
  redirects: RedirectsTab,
  hotsites: HotsitesTab,
  banners: BannersTab,
  facets: FacetsTab,
} as const;
type Name = keyof typeof TABS;
const names = Object.keys(TABS) as Name[];

/** What people decide about a store's searches. */
export default function MerchandisingPage({ store }: { store: string }) {
  const words = useWords(merchandisingWords);
  return (
    <Page title={words.title}>
      <Tabs defaultValue="rules" keepMounted={false}>
        <Tabs.List mb="md">
          {names.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {words[name]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {names.map((name) => {
          const Tab = TABS[name];
          return (
            <Tabs.Panel key={name} value={name}>
              <Tab store={store} />
            </Tabs.Panel>
          );
        })}
      </Tabs>
    </Page>
  );
}
