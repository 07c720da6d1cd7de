import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { storage } from './shop/storage';
import { en, type Words } from './words/en';
import { es } from './words/es';
import { pt } from './words/pt';

type Language = 'pt' | 'en' | 'es';

const ALL: Readonly<Record<Language, Words>> = { pt, en, es };
export const LANGUAGES: Readonly<Record<Language, string>> = { pt: 'Português', en: 'English', es: 'Español' };
const CHOSEN = 'demo:language';

const isLanguage = (text: string): text is Language => Object.hasOwn(ALL, text);

function firstLanguage(): Language {
  const wanted = [storage.get(CHOSEN) ?? '', ...navigator.languages].map((tag) => tag.slice(0, 2).toLowerCase());
  return wanted.find(isLanguage) ?? 'en';
}

interface Spoken {
  words: Words;
  language: Language;
  choose: (language: string) => void;
  /** A number with two decimals, as the language writes it. */
  decimal: (value: number) => string;
}

const Context = createContext<Spoken | null>(null);

/** The browser's language decides, until another one is chosen. */
export function WordsProvider({ children }: { children: ReactNode }): ReactNode {
  const [language, setLanguage] = useState(firstLanguage);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  const spoken = useMemo(() => {
    const choose = (other: string): void => {
      if (!isLanguage(other)) return;
      storage.set(CHOSEN, other);
      setLanguage(other);
    };
    const { format: decimal } = new Intl.NumberFormat(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
    return { words: ALL[language], language, choose, decimal };
  }, [language]);
  return <Context.Provider value={spoken}>{children}</Context.Provider>;
}

export function useSpoken(): Spoken {
  const spoken = useContext(Context);
  if (!spoken) throw new Error('There is no WordsProvider');
  return spoken;
}

export const useWords = (): Words => useSpoken().words;

export type { Words } from './words/en';
