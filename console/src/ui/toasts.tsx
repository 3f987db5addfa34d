import { X } from 'lucide-react'
import { useSyncExternalStore } from 'react'

interface Toast {
  readonly id: number
  readonly text: string
  readonly bad: boolean
}

const shownMs = 6000
let toasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()

function set(next: readonly Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}

const dismiss = (id: number) => set(toasts.filter((toast) => toast.id !== id))

/** Tells people in passing what was done, or with `bad` what was not. */
export function tell(text: string, bad = false): void {
  lastId += 1
  const id = lastId
  set([...toasts.slice(-2), { id, text, bad }])
  if (!bad) setTimeout(() => dismiss(id), shownMs)
}

/** Where that is shown. */
export function Toasts() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => toasts,
  )
  return (
    <div className="toasts" role="status" aria-live="polite">
      {shown.map(({ id, text, bad }) => (
        <div key={id} className={bad ? 'toast bad' : 'toast'}>
          <p className="grow">{text}</p>
          <button
            type="button"
            className="button quiet icon"
            aria-label="Dismiss"
            onClick={() => dismiss(id)}
          >
            <X />
          </button>
        </div>
      ))}
    </div>
  )
}
