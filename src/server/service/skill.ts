import { readSkillFile } from '../../runtime/platform/files/guide-files.ts'

export const skillPath = '/skill.md'

export const skillRoute = {
  detail: {
    operationId: 'service.skill',
    summary: 'Read the skill for coding agents',
    description: 'A SKILL.md: when and how a coding agent uses this server. Requires no API key.',
    tags: ['Service'],
    security: [],
    responses: {
      200: { description: 'Markdown', content: { 'text/markdown': { schema: { type: 'string' as const } } } },
    },
  },
}

export const skill = async (): Promise<Response> =>
  new Response(await readSkillFile(), { headers: { 'content-type': 'text/markdown; charset=utf-8' } })
