import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';

export const languages = ['pt', 'en', 'es'] as const;
export type Language = (typeof languages)[number];
export type Text = Readonly<Record<Language, string>>;

const LOCALES: Text = { pt: 'pt-BR', en: 'en', es: 'es' };
const KEPT = 'vitrine:console:language';

const isLanguage = (text: string | null | undefined): text is Language => languages.some((known) => known === text);

function firstLanguage(): Language {
  const kept = localStorage.getItem(KEPT);
  if (isLanguage(kept)) return kept;
  return navigator.languages.map((tag) => tag.slice(0, 2)).find(isLanguage) ?? 'en';
}

interface LanguageState {
  language: Language;
  setLanguage(language: Language): void;
}

const LanguageContext = createContext<LanguageState>({ language: 'en', setLanguage: () => undefined });

/** The browser's language decides, until somebody chooses another. */
export function LanguageProvider({ children }: { children: ReactNode }) {
  const [language, set] = useState(firstLanguage);
  useEffect(() => {
    document.documentElement.lang = LOCALES[language];
  }, [language]);
  const state = useMemo(
    () => ({
      language,
      setLanguage: (next: Language): void => {
        localStorage.setItem(KEPT, next);
        set(next);
      },
    }),
    [language],
  );
  return <LanguageContext.Provider value={state}>{children}</LanguageContext.Provider>;
}

export const useLanguage = (): LanguageState => useContext(LanguageContext);

type Phrases<T> = { readonly [K in keyof T]: string };

/** The words of one page, in each language under the same names. */
export const defineWords = <T extends Readonly<Record<string, string>>>(words: {
  en: T;
  pt: Phrases<NoInfer<T>>;
  es: Phrases<NoInfer<T>>;
}): Readonly<Record<Language, Phrases<T>>> => words;

/** Those of the language that is chosen. */
export const useWords = <T,>(words: Readonly<Record<Language, T>>): T => words[useLanguage().language];

export interface Formats {
  number(value: number, options?: Intl.NumberFormatOptions): string;
  percent(share: number): string;
  time(iso: string): string;
  /** How long ago, or how long until then. */
  ago(iso: string): string;
  /** In the largest unit that it is a whole number of: `6 hours`. */
  span(seconds: number): string;
}

const STEPS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/** Numbers and times as the language writes them. */
export function useFormats(): Formats {
  const { language } = useLanguage();
  return useMemo(() => {
    const locale = LOCALES[language];
    const times = new Intl.DateTimeFormat(locale, { dateStyle: 'short', timeStyle: 'medium' });
    const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
    return {
      number: (value, options) => value.toLocaleString(locale, options),
      percent: (share) => share.toLocaleString(locale, { style: 'percent', maximumFractionDigits: 1 }),
      time: (iso) => times.format(new Date(iso)),
      ago: (iso) => {
        const seconds = Math.round((Date.parse(iso) - Date.now()) / 1000);
        const [unit, length] = STEPS.find(([, size]) => Math.abs(seconds) >= size) ?? STEPS[3];
        return relative.format(Math.round(seconds / length), unit);
      },
      span: (seconds) => {
        const [unit, length] = STEPS.find(([, size]) => seconds >= size && seconds % size === 0) ?? STEPS[3];
        return (seconds / length).toLocaleString(locale, { style: 'unit', unit, unitDisplay: 'long' });
      },
    };
  }, [language]);
}
