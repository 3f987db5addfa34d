/** A keyboard shortcut of the open page. */
export interface KeyBinding {
  /** `j`, `/`, `Escape`, or a sequence of two keys: `g d`. */
  readonly keys: string
  readonly title: string
  /** Heading in the keyboard help. */
  readonly group: string
  readonly run: () => void
}

const bindings = new Set<readonly KeyBinding[]>()
let prefix = ''
let prefixMs = 0
const prefixLastsMs = 1200

/** Returns the current bindings. If two bind the same keys, the later one wins. */
export const currentBindings = (): KeyBinding[] => [...bindings].flat()

/** Binds keys. Call the returned function to unbind them. */
export function bindKeys(added: readonly KeyBinding[]): () => void {
  bindings.add(added)
  return () => bindings.delete(added)
}

/** True if the focused element handles the key itself: an input, or anything in a dialog or menu. */
function isTaken({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof Element)) return false
  if (key === 'Enter' && target.closest('a, button, [role="grid"]')) return true
  if (target.closest('dialog, [role="menu"], [role="listbox"]')) return true
  return target.closest('input:not([type="checkbox"]), textarea, select, [contenteditable]') !== null
}

/** Runs the binding of a pressed key. */
export function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTaken(event)) return
  if (document.querySelector('dialog[open]')) return
  const keys =
    event.timeStamp - prefixMs < prefixLastsMs && prefix !== '' ? `${prefix} ${event.key}` : event.key
  prefix = ''
  const found = currentBindings().findLast((binding) => binding.keys === keys)
  if (found) {
    event.preventDefault()
    found.run()
  } else if (currentBindings().some((binding) => binding.keys.startsWith(`${event.key} `))) {
    prefix = event.key
    prefixMs = event.timeStamp
  }
}
