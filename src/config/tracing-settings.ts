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

interface TracingValues {
  OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
  OTEL_EXPORTER_OTLP_HEADERS?: Record<string, string> | undefined;
  OTEL_SERVICE_NAME: string;
  OTEL_TRACES_SAMPLER_ARG: number;
}

/** Null: nothing is traced. */
export function tracingOf(values: TracingValues): TracingSettings | null {
  if (values.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return null;
  return {
    endpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT,
    headers: values.OTEL_EXPORTER_OTLP_HEADERS ?? {},
    service: values.OTEL_SERVICE_NAME,
    share: values.OTEL_TRACES_SAMPLER_ARG,
  };
}
