import { X } from 'lucide-react'
import { useId, useLayoutEffect, useSyncExternalStore } from 'react'
import { KeyHint } from '../keys/key-hint.tsx'

interface Toast {
  readonly id: number
  readonly text: string
  readonly bad: boolean
  /** Undoes the announced action. */
  readonly undo?: Undo
}

type Undo = () => unknown

const toastMs = 6000
/** Longer, to leave time to undo. */
const undoableMs = 12_000
/** Limits of undoing with the keyboard: number of actions, and time since each. */
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

/** Shows a toast. With `bad` it is an error, which stays until dismissed. */
export const showToast = (text: string, bad = false): void => show({ text, bad }, bad ? undefined : toastMs)

/** Shows a toast with an Undo button. The `z` key also undoes earlier actions. */
export function showUndoableToast(text: string, undo: Undo): void {
  set(toasts.filter((toast) => toast.undo === undefined))
  undos = [...undos, { undo, untilMs: Date.now() + undoLastsMs }].slice(-undosKept)
  show({ text, bad: false, undo }, undoableMs)
}

/** Undoes the most recent action that can be undone. */
export function undoLast(): void {
  const last = undos.at(-1)
  undos = undos.slice(0, -1)
  set(toasts.filter((toast) => toast.undo === undefined))
  if (last === undefined || last.untilMs < Date.now()) return
  showToast('Undone.')
  void last.undo()
}

/** Clears toasts and undo history, because another person may sign in next. */
export function clearToasts(): void {
  undos = []
  set([])
}

/** IDs of mounted outlets: the page and each open dialog. The last one shows the toasts. */
let outlets: readonly string[] = []
const none: readonly Toast[] = []

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Renders toasts unless a dialog above does: content below a modal dialog is neither announced nor clickable. */
export function Toasts() {
  const id = useId()
  const shown = useSyncExternalStore(subscribe, () => (outlets.at(-1) === id ? toasts : none))
  useLayoutEffect(() => {
    outlets = [...outlets, id]
    set(toasts)
    return () => {
      outlets = outlets.filter((one) => one !== id)
      set(toasts)
    }
  }, [id])
  return (
    <div className="toasts" role="status" aria-live="polite">
      {shown.map(({ id: toastId, text, bad, undo }) => (
        <div key={toastId} className={bad ? 'toast bad' : 'toast'}>
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
            onClick={() => dismiss(toastId)}
          >
            <X />
          </button>
        </div>
      ))}
    </div>
  )
}
