/** A time as the API writes it. Through TIMESTAMP, because formatting TIMESTAMPTZ goes through time zone tables. */
export const timeText = (sql: string): string =>
  `replace(strftime(make_timestamp(epoch_us(${sql})), '%Y-%m-%dT%H:%M:%S.%fZ'), '.000000Z', 'Z')`
