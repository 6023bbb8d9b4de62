import { post } from '../api/client.ts'

/** Stores a version of an object. @returns its ref @throws {Problem} */
export async function storeObject(
  projectId: string,
  name: string,
  val: object,
  builtinClass?: string,
): Promise<string> {
  const obj = {
    project_id: projectId,
    object_id: name,
    val,
    ...(builtinClass && { builtin_object_class: builtinClass }),
  }
  const { digest } = await post<{ digest: string }>('/obj/create', { obj })
  return `ext:///${projectId}/object/${name}:${digest}`
}
