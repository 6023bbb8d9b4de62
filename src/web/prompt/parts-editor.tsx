import { ArrowDown, ArrowUp, Braces, Image, Link, Plus, Trash2, Type, Wrench } from 'lucide'
import { useRef, useState } from 'preact/hooks'
import { dataUriOf } from '../api/data-uri.ts'
import { Button, IconButton } from '../components/controls/button.tsx'
import { Field } from '../components/controls/field.tsx'
import { Segments } from '../components/controls/segments.tsx'
import { Icon } from '../components/display/icon.tsx'
import { formatBytes } from '../format/number.ts'
import { showError } from '../state/toasts.ts'
import { contentText } from '../text/trace/content.ts'
import {
  type ContentPart,
  changedPart,
  contentPartsOf,
  contentWith,
  imagePart,
  plainText,
  textPart,
} from './content-parts.ts'
import css from './parts-editor.module.css'
import type { PromptMessage } from './prompt.ts'
import { type MessageTextProps, PromptText } from './prompt-text.tsx'

export { withImages }

const icons = { text: Type, image: Image, result: Wrench, other: Braces }

/** The parts of a message, each edited as what it is; or their JSON, as one text. */
export default function PartsEditor(props: MessageTextProps) {
  const { message, label, isReadOnly, onChange } = props
  const [isJson, setJson] = useState(false)
  const parts = contentPartsOf(message.text)
  const put = (next: readonly ContentPart[]) => onChange({ ...message, text: contentWith(next) })
  const addImages = (files: readonly File[]) => void withImages(message, files).then(onChange, showError)
  const isByPart = parts !== undefined && !isJson
  return (
    <>
      {isByPart ? (
        <ol class={css.parts} aria-label={contentText.parts(label)}>
          {parts.map((part, at) => (
            <li key={at} class={css.part} aria-label={contentText.part(at + 1, contentText.kinds[part.type])}>
              <PartHead
                {...{ part, at, parts, isReadOnly, put }}
                remove={() => onChange(without(message, parts, at))}
              />
              {part.type === 'text' || part.type === 'result' ? (
                <PromptText
                  {...props}
                  label={contentText.textOf(at + 1, label)}
                  text={part.text}
                  before={undefined}
                  onType={(next) => put(parts.with(at, changedPart(part, next)))}
                />
              ) : part.type === 'image' ? (
                <ImagePart
                  {...{ url: part.url, at, label, isReadOnly }}
                  onChange={(url) => put(parts.with(at, changedPart(part, url)))}
                />
              ) : (
                <div class={css.other}>
                  <pre tabIndex={0}>{part.json.replaceAll('\n  ', '\n')}</pre>
                  {!isReadOnly && <p class={css.note}>{contentText.unknown}</p>}
                </div>
              )}
            </li>
          ))}
        </ol>
      ) : (
        <PromptText {...props} text={message.text} onType={(next) => onChange({ ...message, text: next })} />
      )}
      <div class={css.foot}>
        {isByPart && !isReadOnly && (
          <>
            <Button kind="quiet" size="compact" icon={Plus} onClick={() => put([...parts, textPart('')])}>
              {contentText.addText}
            </Button>
            <AddImage onFiles={addImages} />
            <Button kind="quiet" size="compact" icon={Link} onClick={() => put([...parts, imagePart('')])}>
              {contentText.addAddress}
            </Button>
          </>
        )}
        {parts !== undefined && (
          <span class={css.view}>
            <Segments
              label={contentText.view}
              options={[
                { id: 'part', label: contentText.byPart },
                { id: 'json', label: contentText.asJson },
              ]}
              current={isJson ? 'json' : 'part'}
              onSelect={(id) => setJson(id === 'json')}
            />
          </span>
        )}
      </div>
    </>
  )
}

/** A message without one of its parts; one text is left as a text. */
function without(message: PromptMessage, parts: readonly ContentPart[], at: number): PromptMessage {
  const left = parts.toSpliced(at, 1)
  const text = left.length === 0 ? '' : plainText(left)
  return text === undefined ? { ...message, text: contentWith(left) } : { ...message, isParts: false, text }
}

/** Chooses files of images. */
function AddImage({ onFiles }: { readonly onFiles: (files: readonly File[]) => void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button kind="quiet" size="compact" icon={Image} onClick={() => input.current?.click()}>
        {contentText.addImage}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={imageTypes.join()}
        aria-label={contentText.chooseFile}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])])
          currentTarget.value = ''
        }}
      />
    </>
  )
}

interface PartHeadProps {
  readonly part: ContentPart
  readonly at: number
  readonly parts: readonly ContentPart[]
  readonly isReadOnly: boolean
  readonly put: (parts: readonly ContentPart[]) => void
  readonly remove: () => void
}

function PartHead({ part, at, parts, isReadOnly, put, remove }: PartHeadProps) {
  const move = (by: 1 | -1) => put(parts.toSpliced(at, 1).toSpliced(at + by, 0, part))
  return (
    <header class={css.head}>
      <Icon of={icons[part.type]} size={14} />
      <span>{contentText.kindNames[part.type]}</span>
      {part.type === 'other' && part.name !== '' && <code class={css.name}>{part.name}</code>}
      {part.type === 'result' && part.id !== '' && <code class={css.name}>{part.id}</code>}
      {!isReadOnly && (
        <span class={css.buttons}>
          <IconButton
            of={ArrowUp}
            size="compact"
            label={contentText.moveUp(at + 1)}
            disabled={at === 0}
            onClick={() => move(-1)}
          />
          <IconButton
            of={ArrowDown}
            size="compact"
            label={contentText.moveDown(at + 1)}
            disabled={at === parts.length - 1}
            onClick={() => move(1)}
          />
          <IconButton of={Trash2} size="compact" label={contentText.remove(at + 1)} onClick={remove} />
        </span>
      )}
    </header>
  )
}

interface ImagePartProps {
  readonly url: string
  readonly at: number
  readonly label: string
  readonly isReadOnly: boolean
  readonly onChange: (url: string) => void
}

/** An image in the message, or the address of one elsewhere, which this page does not load. */
const ImagePart = ({ url, at, label, isReadOnly, onChange }: ImagePartProps) =>
  /^data:image\/(?:png|jpeg|gif|webp);base64,/.test(url) ? (
    <div class={css.image}>
      <img src={url} alt={contentText.image(at + 1)} />
    </div>
  ) : (
    <Field
      class={css.address}
      label={contentText.addressOf(at + 1, label)}
      hideLabel
      mono
      hint={contentText.notShown}
      placeholder="https://"
      readOnly={isReadOnly}
      value={url}
      onInput={(event) => onChange(event.currentTarget.value)}
    />
  )

/** Images that models take, by media type. */
const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']
const imageBytesMax = 4_000_000

/** The file as a data URI. @throws {Error} that says what is wrong with it */
async function imageUrlOf(file: File): Promise<string> {
  if (!imageTypes.includes(file.type)) throw new Error(contentText.noImage(file.name))
  if (file.size > imageBytesMax)
    throw new Error(contentText.tooLarge(file.name, formatBytes(file.size), formatBytes(imageBytesMax)))
  return await dataUriOf(file)
}

/**
 * A message with images after what it has; one with a text gets parts.
 *
 * @throws {Error} that says what is wrong with an image, or with the JSON of the parts
 */
async function withImages(message: PromptMessage, files: readonly File[]): Promise<PromptMessage> {
  const images = await Promise.all(files.map(async (file) => imagePart(await imageUrlOf(file))))
  const own = message.isParts ? contentPartsOf(message.text) : message.text === '' ? [] : [textPart(message.text)]
  if (own === undefined) throw new Error(contentText.mendJson)
  return { ...message, isParts: true, text: contentWith([...own, ...images]) }
}
