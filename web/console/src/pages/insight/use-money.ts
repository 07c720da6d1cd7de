import { answerOf, api } from '../../api/client.ts';
import { useLoaded } from '../../api/hooks.ts';
import { useFormats } from '../../app/language.tsx';

const currencyOf = async (apiKey: string, signal: AbortSignal): Promise<string | undefined> => {
  const { settings } = await answerOf(api.GET('/admin/stores/{apiKey}', { params: { path: { apiKey } }, signal }));
  return settings.currency;
};

/** Amounts in the store's currency; until that is known, as numbers. */
export function useMoney(store: string): (value: number) => string {
  const { number } = useFormats();
  const { data: currency } = useLoaded(`currency ${store}`, (signal) => currencyOf(store, signal));
  return (value) =>
    number(value, {
      maximumFractionDigits: 2,
      ...(currency === undefined ? {} : { style: 'currency', currency }),
    });
}
