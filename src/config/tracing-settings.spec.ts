import { loadSettings } from './settings';
import { headersIn } from './tracing-settings';

describe('where traces go', () => {
  test('is said by OpenTelemetry’s own variables', () => {
    const { tracing } = loadSettings({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20x, x-tenant=shop',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
    });
    expect(tracing).toEqual({
      endpoint: 'http://collector:4318',
      headers: { authorization: 'Bearer x', 'x-tenant': 'shop' },
      service: 'vitrine',
      share: 0.25,
    });
  });

  test('is nowhere without an endpoint, whatever else is set', () => {
    expect(loadSettings({ OTEL_SERVICE_NAME: 'shop', OTEL_TRACES_SAMPLER_ARG: '1' }).tracing).toBeNull();
  });

  test.each(['2', '-1', 'all', '1.5'])('a share of %s is refused', (share) => {
    expect(() => loadSettings({ OTEL_TRACES_SAMPLER_ARG: share })).toThrow(
      `OTEL_TRACES_SAMPLER_ARG is "${share}": it takes the share of requests that is traced, from 0 to 1`,
    );
  });

  test.each(['secret-word', 'a=b,c', 'a=%zz'])('headers as %s are refused and not repeated', (headers) => {
    expect(headersIn(headers)).toBeNull();
    expect(() => loadSettings({ OTEL_EXPORTER_OTLP_HEADERS: headers })).toThrow(
      /^OTEL_EXPORTER_OTLP_HEADERS is not accepted: it takes headers as name=value/,
    );
  });
});
