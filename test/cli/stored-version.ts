/** Cells of an object version, except its key and content. */
export const newVersion = {
  object_id: 'o',
  kind: 'object',
  base_object_class: null,
  leaf_object_class: null,
  version_index: 0,
  ext_user_id: null,
  latest_at: 1e15,
  deleted_at: null,
  written_at: 1e15,
}
