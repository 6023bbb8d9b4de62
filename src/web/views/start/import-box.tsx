import { useState } from 'preact/hooks'
import { itemAt } from '../../../lib/present.ts'
import { CopyButton } from '../../components/controls/copy-button.tsx'
import { Select } from '../../components/controls/select.tsx'
import { importCommand, importSources } from '../../snippets/import-commands.ts'
import type { SnippetFacts } from '../../snippets/snippet.ts'
import { SnippetCode } from '../../snippets/snippet-code.tsx'
import { startText } from '../../text/start.ts'
import css from './import-box.module.css'

/** The command that brings the traces of another tool. */
export function ImportBox({ facts }: { facts: SnippetFacts }) {
  const [chosen, choose] = useState('')
  const source = importSources.find(({ id }) => id === chosen) ?? itemAt(importSources, 0)
  const command = importCommand(source, facts)
  return (
    <section class={css.box}>
      <header class={css.head}>
        <h2 class={css.title}>{startText.importTitle}</h2>
        <Select
          class={css.source}
          label={startText.importSource}
          hideLabel
          options={importSources.map(({ id, name }) => ({ id, label: name }))}
          value={source.id}
          onChange={choose}
        />
        <CopyButton text={command} words />
      </header>
      <SnippetCode code={command} language="shell" facts={facts} />
      <p class={css.note}>
        {source.note} {startText.importDryRun}
      </p>
    </section>
  )
}
