import { useState } from 'preact/hooks'
import { Button } from '../components/controls/button.tsx'
import { Segments } from '../components/controls/segments.tsx'
import { Select } from '../components/controls/select.tsx'
import { Dialog } from '../components/overlays/dialog.tsx'
import { SnippetCards } from '../snippets/snippet-cards.tsx'
import { session } from '../state/session.ts'
import { promptText } from '../text/prompt.ts'
import type { ObjectVersion } from '../versions/objects.ts'
import type { Prompt } from './prompt.ts'
import { type UseLanguage, useLanguages, useSnippet } from './use-it.ts'
import css from './use-it-dialog.module.css'

interface UseItDialogProps {
  readonly projectId: string
  readonly name: string
  readonly versions: readonly ObjectVersion[]
  readonly current: ObjectVersion
  readonly prompt: Prompt
  readonly onClose: () => void
}

/** Programs that read a version of the prompt and complete with it. */
export default function UseItDialog({ projectId, name, versions, current, prompt, onClose }: UseItDialogProps) {
  const [language, setLanguage] = useState<UseLanguage>('python')
  const aliases = [...new Set(versions.flatMap((version) => version.aliases ?? []))].filter((each) => each !== 'latest')
  const names = [...aliases.sort(), 'latest', `v${current.version_index}`]
  const [version, setVersion] = useState(aliases.includes('production') ? 'production' : (names[0] ?? 'latest'))
  const url = session.value?.public_url ?? location.origin
  const steps = useSnippet(language, { url, projectId, name, version, prompt })
  return (
    <Dialog
      open
      onClose={onClose}
      title={promptText.useIt}
      class={css.dialog}
      foot={
        <Button hint="esc" autofocus onClick={onClose}>
          {promptText.close}
        </Button>
      }
    >
      <p>{promptText.useItLead(name, version)}</p>
      <div class={css.tools}>
        <Segments
          label={promptText.languageLabel}
          options={useLanguages.map((id) => ({ id, label: promptText.languages[id] }))}
          current={language}
          onSelect={setLanguage}
        />
        <Select
          label={promptText.versions}
          hideLabel
          options={names.map((id) => ({ id, label: `${name}:${id}` }))}
          value={version}
          onChange={setVersion}
        />
      </div>
      <SnippetCards steps={steps} facts={{ url, projectId, key: '' }} />
    </Dialog>
  )
}
