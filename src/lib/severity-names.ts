/**
 * Names of the severity numbers of log records, by number
 * (https://opentelemetry.io/docs/specs/otel/logs/data-model/#field-severitynumber).
 */
export const severityNames: readonly string[] = [
  'UNSPECIFIED',
  ...['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'].flatMap((name) => [name, `${name}2`, `${name}3`, `${name}4`]),
]
