/** Where traces go, and which. */
export interface TracingSettings {
  /** Of an OTLP collector, over HTTP: `<endpoint>/v1/traces`. Without a slash at the end. */
  endpoint: string;
  /** For the collector. */
  headers: Readonly<Record<string, string>>;
  /** As which service traces show this process. */
  service: string;
  /** Of all traces, 0 to 1. */
  share: number;
}

const HEADER = /^([\w!#$%&'*+.^`|~-]+)=(.*)$/;

/** `name=value,...`, values percent-encoded as OpenTelemetry has it. Null where it is something else. */
export function headersIn(list: string): Record<string, string> | null {
  const headers: Record<string, string> = {};
  for (const entry of list.split(',')) {
    const [, name, value] = HEADER.exec(entry.trim()) ?? [];
    if (name === undefined || value === undefined) return null;
    try {
      headers[name] = decodeURIComponent(value.trim());
    } catch {
      return null;
    }
  }
  return headers;
}
