import { type MantineColorScheme, NativeSelect, Stack, useMantineColorScheme } from '@mantine/core';
import { type Language, languages, useLanguage, useWords } from './language.tsx';
import { frameWords } from './words.ts';

const NAMES: Readonly<Record<Language, string>> = { pt: 'Português', en: 'English', es: 'Español' };
const SCHEMES = ['auto', 'light', 'dark'] as const satisfies readonly MantineColorScheme[];

/** Language and colours, kept in this browser. */
export function Preferences() {
  const words = useWords(frameWords);
  const { language, setLanguage } = useLanguage();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Stack gap="xs">
      <NativeSelect
        size="xs"
        label={words.language}
        value={language}
        data={languages.map((value) => ({ value, label: NAMES[value] }))}
        onChange={(event) => setLanguage(event.currentTarget.value as Language)}
      />
      <NativeSelect
        size="xs"
        label={words.scheme}
        value={colorScheme}
        data={SCHEMES.map((value) => ({ value, label: words[value] }))}
        onChange={(event) => setColorScheme(event.currentTarget.value as MantineColorScheme)}
      />
    </Stack>
  );
}
