/** What the script tag says in its `data-` attributes. */
export interface TagSettings {
  apiKey: string;
  /** Where the service is, without a slash at the end. */
  endpoint: string;
  /** Nothing is kept or sent until the page tells that the shopper agrees. */
  consentRequired: boolean;
  source: string | undefined;
  salesChannel: string | undefined;
  /** Where events come from beside calls: `datalayer`, `markup`. */
  collect: string;
}

/** Of the tag that is running; null where it lacks its key: then it does nothing. */
export function readSettings(): TagSettings | null {
  const script = (document.currentScript ?? document.querySelector('script[data-api-key]')) as HTMLScriptElement | null;
  const data = script?.dataset ?? {};
  const apiKey = data['apiKey'];
  if (!script || !apiKey) return null;
  return {
    apiKey,
    endpoint: (data['endpoint'] ?? new URL(script.src, location.href).origin).replace(/\/+$/, ''),
    consentRequired: data['consent'] === 'required',
    source: data['source'],
    salesChannel: data['salesChannel'],
    collect: data['collect'] ?? 'datalayer markup',
  };
}
