import { X } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { KeyHint } from './key-hint.tsx'

interface Toast {
  readonly id: number
  readonly text: string
  readonly bad: boolean
  /** Takes back what is told of. */
  readonly undo?: Undo
}

type Undo = () => unknown

const shownMs = 6000
/** There is more time to take something back. */
const undoableMs = 12_000
/** By the key, so many things can be taken back one after the other, and for so long. */
const undosKept = 50
const undoLastsMs = 120_000
let toasts: readonly Toast[] = []
let lastId = 0
let undos: readonly { readonly undo: Undo; readonly untilMs: number }[] = []
const listeners = new Set<() => void>()

function set(next: readonly Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}

const dismiss = (id: number) => set(toasts.filter((toast) => toast.id !== id))

function show(toast: Omit<Toast, 'id'>, forMs: number | undefined): void {
  lastId += 1
  const id = lastId
  set([...toasts.slice(-2), { ...toast, id }])
  if (forMs !== undefined) setTimeout(() => dismiss(id), forMs)
}

/** Tells people in passing what was done, or with `bad` what was not. */
export const tell = (text: string, bad = false): void => show({ text, bad }, bad ? undefined : shownMs)

/** Tells what was done, and offers to take it back: the last thing by a button, those before it by the key. */
export function tellUndoable(text: string, undo: Undo): void {
  set(toasts.filter((toast) => toast.undo === undefined))
  undos = [...undos, { undo, untilMs: Date.now() + undoLastsMs }].slice(-undosKept)
  show({ text, bad: false, undo }, undoableMs)
}

/** Takes back the last thing that can be. */
export function undoLast(): void {
  const last = undos.at(-1)
  undos = undos.slice(0, -1)
  set(toasts.filter((toast) => toast.undo === undefined))
  if (last === undefined || last.untilMs < Date.now()) return
  tell('Undone.')
  void last.undo()
}

/** Forgets what was told and what could be taken back: somebody else may come. */
export function forgetTold(): void {
  undos = []
  set([])
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
      {shown.map(({ id, text, bad, undo }) => (
        <div key={id} className={bad ? 'toast bad' : 'toast'}>
          <p className="grow">{text}</p>
          {undo && (
            <button type="button" className="button small" onClick={undoLast}>
              Undo
              <KeyHint keys="z" />
            </button>
          )}
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
