import { Consent } from './consent';
import { watchDataLayer } from './data-layer';
import { Events, type Fields, type WithEvents } from './events';
import { deviceId } from './memory';
import { Outbox } from './outbox';
import { watchPage } from './page';
import { readSettings, type TagSettings } from './settings';

type Command = (name: string, ...rest: unknown[]) => void;

interface Vitrine extends Command {
  /** Calls from before the tag was there. */
  q?: Parameters<Command>[];
  loaded?: boolean;
}

/** Whatever goes wrong here is no fault of the page. */
function safely(work: () => void): void {
  try {
    work();
  } catch (error) {
    console.debug('vitrine:', error);
  }
}

function start(settings: TagSettings): Command {
  const consent = new Consent(settings.consentRequired);
  let events: Events | undefined;
  let user: unknown;
  const withEvents: WithEvents = (work) => {
    const url = location.origin + location.pathname;
    consent.whenGiven(() =>
      safely(() => {
        events ??= new Events(settings, new Outbox(settings.endpoint));
        events.by(user, url);
        work(events);
      }),
    );
  };
  const commands: Readonly<Record<string, (first: unknown, second?: unknown) => void>> = {
    view: (given) => {
      const { name = 'other', ...fields } = given as Fields;
      withEvents((all) => all.view(String(name), fields));
    },
    click: (clickUrl, kind = 'PRODUCT_VIEW') => withEvents((all) => all.searchClick(String(clickUrl), String(kind))),
    user: (given) => {
      user = (given as Fields | null)?.['id'];
    },
    consent: (given) => consent.tell(given === true),
    device: (callback) => (callback as (id: string | null) => void)(consent.given ? deviceId() : null),
  };
  // What waits from an earlier page is sent before anything happens on this one. Without consent nothing does.
  if (consent.given) withEvents(() => {});
  if (settings.collect.includes('datalayer')) watchDataLayer(withEvents, safely);
  watchPage({ withEvents, markup: settings.collect.includes('markup') });
  return (name, ...rest) => safely(() => commands[name]?.(rest[0], rest[1]));
}

function load(settings: TagSettings): void {
  const owner = window as unknown as { vitrine?: Vitrine };
  const before = owner.vitrine;
  if (before?.loaded) return;
  const vitrine: Vitrine = start(settings);
  vitrine.loaded = true;
  owner.vitrine = vitrine;
  for (const call of before?.q ?? []) vitrine(...(Array.from(call) as Parameters<Command>));
}

safely(() => {
  const settings = readSettings();
  if (!settings) return;
  // A page that the browser prepares may never be looked at.
  const later = (document as { prerendering?: boolean }).prerendering === true;
  if (later) document.addEventListener('prerenderingchange', () => safely(() => load(settings)), { once: true });
  else load(settings);
});
