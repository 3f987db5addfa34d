import { X } from 'lucide-react'
import { useState } from 'react'
import { PushButton } from '../button.tsx'
import { useUndoable } from '../dialog/use-undoable.ts'
import { Card } from '../page/card.tsx'

/** Edits a set of short names, such as groups or labels. */
export function TagEditor({
  title,
  one,
  tags,
  fixed = [],
  maxLength,
  mayWrite,
  add,
  remove,
}: {
  title: string
  /** Noun for one tag, in lower case. */
  one: string
  tags: readonly string[]
  /** Tags that cannot be removed. */
  fixed?: readonly string[]
  maxLength: number
  mayWrite: boolean
  add: (tag: string) => Promise<unknown>
  remove: (tag: string) => Promise<unknown>
}) {
  const [typed, setTyped] = useState('')
  const change = useUndoable()
  const sentence = (tag: string, done: string) =>
    `${one.charAt(0).toUpperCase()}${one.slice(1)} “${tag}” ${done}.`
  const addTag = (tag: string) =>
    change.mutate(
      { text: sentence(tag, 'added'), run: () => add(tag), undo: () => remove(tag) },
      { onError: () => setTyped((now) => (now === '' ? tag : now)) },
    )
  const removeTag = (tag: string) =>
    change.mutate({ text: sentence(tag, 'removed'), run: () => remove(tag), undo: () => add(tag) })
  return (
    <Card title={title}>
      {tags.length > 0 ? (
        <ul className="chips">
          {tags.map((tag) => (
            <li key={tag} className="chip">
              <span>{tag}</span>
              {mayWrite && !fixed.includes(tag) && (
                <button type="button" aria-label={`Remove ${one} ${tag}`} onClick={() => removeTag(tag)}>
                  <X />
                </button>
              )}
            </li>
          ))}
        </ul>
      ) : (
        <p className="soft">None</p>
      )}
      {mayWrite && (
        <form
          className="row"
          onSubmit={(event) => {
            event.preventDefault()
            if (typed.trim() === '') return
            // Clear the field immediately, so the next tag can be typed while this one is saved.
            addTag(typed.trim())
            setTyped('')
          }}
        >
          <input
            className="input grow"
            aria-label={`New ${one}`}
            placeholder={`New ${one}`}
            maxLength={maxLength}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
          <PushButton type="submit">Add</PushButton>
        </form>
      )}
    </Card>
  )
}
