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
  `ext-api-key=${encodeURIComponent(key)},project_id=${encodeURIComponent(project)}`

/** Variables that OpenTelemetry exporters read. */
export const otlpVariables = (target: Target): Record<string, string> => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: target.url,
  OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
  OTEL_EXPORTER_OTLP_HEADERS: otlpHeaders(target),
})
