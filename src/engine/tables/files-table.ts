import { integer, text, time } from './columns.ts'
import { defineTable } from './define-table.ts'

export const filesTable = defineTable({
  name: 'files',
  description: 'Which project holds which file; never changed. The contents are in `blobs/`, by digest.',
  columns: {
    digest: text('SHA-256 of the content in URL-safe base64, with X for "-" and Y for "_"', { bounds: true }),
    name: text('file name of the first upload'),
    size_bytes: integer('length of the content'),
    ext_user_id: text('id of the API key that uploaded the file first'),
    created_at: time('when the server first accepted the file', { bounds: true }),
  },
  id: 'digest',
  order: ['digest'],
  presence: 'digest',
})
