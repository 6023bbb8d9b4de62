/**
 * A time as in the API. Goes through TIMESTAMP, because formatting TIMESTAMPTZ needs time zone
 * tables.
 */
export const timeText = (sql: string): string =>
  `replace(strftime(make_timestamp(epoch_us(${sql})), '%Y-%m-%dT%H:%M:%S.%fZ'), '.000000Z', 'Z')`
