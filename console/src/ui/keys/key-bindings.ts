/** What a key does on the page that is open. */
export interface KeyBinding {
  /** `j`, `/`, `Escape`, or two keys after one another: `g d`. */
  readonly keys: string
  readonly title: string
  /** Where it belongs in the help. */
  readonly group: string
  readonly run: () => void
}

const bindings = new Set<readonly KeyBinding[]>()
let prefix = ''
let prefixMs = 0
const prefixLastsMs = 1200

/** What keys do now; where two bind the same, the later one has it. */
export const currentBindings = (): KeyBinding[] => [...bindings].flat()

/** Binds keys until the function that is returned is called. */
export function bindKeys(added: readonly KeyBinding[]): () => void {
  bindings.add(added)
  return () => bindings.delete(added)
}

/** Whether keys belong to what has the focus: it is typed into, or it is in a dialog or menu. */
function isTaken({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof Element)) return false
  if (key === 'Enter' && target.closest('a, button, [role="grid"]')) return true
  if (target.closest('dialog, [role="menu"], [role="listbox"]')) return true
  return target.closest('input:not([type="checkbox"]), textarea, select, [contenteditable]') !== null
}

/** Does what the key of an event is bound to. */
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
