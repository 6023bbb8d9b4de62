/**
 * The project that an export names in the header `project_id`. Exporters take headers from the
 * variable `OTEL_EXPORTER_OTLP_HEADERS`, whose values are percent-encoded (W3C Baggage); some send
 * them as they are. No project has "%" in its name.
 */
export function projectHeader(headers: Pick<Headers, 'get'>): string | undefined {
  const value = headers.get('project_id')?.trim()
  if (!value) return undefined
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
