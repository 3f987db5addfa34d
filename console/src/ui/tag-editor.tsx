import { useMutation } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useState } from 'react'
import { PushButton } from './button.tsx'
import { Card } from './card.tsx'
import { FormError } from './field.tsx'

/** A set of short names that can be added to and taken from: groups, labels. */
export function TagEditor({
  title,
  one,
  tags,
  maxLength,
  mayWrite,
  add,
  remove,
}: {
  title: string
  /** What one of them is called. */
  one: string
  tags: readonly string[]
  maxLength: number
  mayWrite: boolean
  add: (tag: string) => Promise<unknown>
  remove: (tag: string) => Promise<unknown>
}) {
  const [typed, setTyped] = useState('')
  const adding = useMutation({
    mutationFn: add,
    onError: (_error, tag) => setTyped((now) => (now === '' ? tag : now)),
  })
  const removing = useMutation({ mutationFn: remove })
  return (
    <Card title={title}>
      {tags.length > 0 ? (
        <ul className="chips">
          {tags.map((tag) => (
            <li key={tag} className="chip">
              <span>{tag}</span>
              {mayWrite && (
                <button
                  type="button"
                  aria-label={`Remove the ${one} ${tag}`}
                  onClick={() => removing.mutate(tag)}
                >
                  <X />
                </button>
              )}
            </li>
          ))}
        </ul>
      ) : (
        <p className="soft">None.</p>
      )}
      {mayWrite && (
        <form
          className="row"
          onSubmit={(event) => {
            event.preventDefault()
            if (typed.trim() === '') return
            // The field is free for the next one at once, while this one is on its way.
            adding.mutate(typed.trim())
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
      <FormError error={adding.error ?? removing.error} />
    </Card>
  )
}
