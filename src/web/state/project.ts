import { useRoute } from 'preact-iso'

/** Id of the project that the address names, `entity/project`. For use in views of a project. */
export function useProject(): string {
  const { params } = useRoute()
  return `${params['entity']}/${params['project']}`
}
