import { Button } from '../components/controls/button.tsx'
import { Field } from '../components/controls/field.tsx'
import { TextArea } from '../components/controls/text-area.tsx'
import { Dialog } from '../components/overlays/dialog.tsx'
import { faultsOf } from '../prompt/faults.ts'
import { type Prompt, settingNames } from '../prompt/prompt.ts'
import { playgroundText } from '../text/playground.ts'
import { promptText } from '../text/prompt.ts'
import css from './settings-dialog.module.css'

interface SettingsDialogProps {
  readonly letter: string
  readonly prompt: Prompt
  readonly onChange: (prompt: Prompt) => void
  readonly onClose: () => void
}

/** Settings of the model, tools and schema of a column. Changes count at once. */
export default function SettingsDialog({ letter, prompt, onChange, onClose }: SettingsDialogProps) {
  const faults = faultsOf(prompt)
  const names = [...new Set([...settingNames, ...Object.keys(prompt.settings)])]
  const area = (part: 'tools' | 'schema') => {
    return (
      <TextArea
        class={css.area}
        label={playgroundText[part]}
        rows={6}
        error={faults.find((each) => each.part === part)?.text}
        value={prompt[part]}
        onInput={({ currentTarget: { value } }) => onChange({ ...prompt, [part]: value })}
      />
    )
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={playgroundText.settingsTitle(letter)}
      class={css.dialog}
      foot={
        <Button hint="esc" onClick={onClose}>
          {playgroundText.close}
        </Button>
      }
    >
      <div class={css.settings}>
        {names.map((name) => (
          <Field
            key={name}
            label={promptText.settings[name] ?? name}
            placeholder={promptText.unset}
            value={prompt.settings[name] ?? ''}
            onInput={({ currentTarget: { value } }) =>
              onChange({ ...prompt, settings: { ...prompt.settings, [name]: value } })
            }
          />
        ))}
      </div>
      {!prompt.isText && (
        <>
          {area('tools')}
          {area('schema')}
        </>
      )}
    </Dialog>
  )
}
