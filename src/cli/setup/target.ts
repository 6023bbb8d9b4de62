/** The server and the project that data goes to. */
export interface Target {
  /** Without a slash at the end. */
  readonly url: string
  readonly key: string
  /** `entity/project`. */
  readonly project: string
}

/** Headers of OTLP requests as variables and settings write them. */
export const otlpHeaders = ({ key, project }: Target): string =>
  `ext-api-key=${headerValue(key)},project_id=${headerValue(project)}`

/**
 * Encodes no more than the form needs (W3C Baggage, `baggage-octet`): Claude Code sends the values
 * as they are, without decoding them.
 */
const headerValue = (text: string): string => text.replaceAll(/[^!#-$&-+\--:<-[\]-~]/gu, encodeURIComponent)

/** Variables that OpenTelemetry exporters read. */
export const otlpVariables = (target: Target): Record<string, string> => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: target.url,
  OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
  OTEL_EXPORTER_OTLP_HEADERS: otlpHeaders(target),
})
