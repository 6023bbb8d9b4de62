import { navigate } from '../state/location.ts'
import { sqlPath } from '../state/paths.ts'
import { showToast } from '../state/toasts.ts'
import { sqlText } from '../text/sql.ts'
import { asSql, NoSql, type Shown } from './as-sql.ts'

/** Opens the console with the statement for a table, or says what keeps it from being one. */
export function openAsSql(shown: Shown): void {
  try {
    navigate(sqlPath(asSql(shown)))
  } catch (error) {
    if (!(error instanceof NoSql)) throw error
    showToast({ kind: 'error', text: sqlText.asSql.refused(error.message) })
  }
}
