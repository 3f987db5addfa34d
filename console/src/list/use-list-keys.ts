import type { KeyBinding } from '../ui/keys/key-bindings.ts'
import { useKeys } from '../ui/keys/use-keys.ts'

const group = 'This list'

/** Binds the keyboard shortcuts of a list. */
export function useListKeys(list: {
  count: number
  active: number
  setActive: (index: number) => void
  open: () => void
  toggle: () => void
  toggleAll: () => void
  clear: () => void
  search: () => void
  /**
   * Must not change while the list is mounted. Without actions, records cannot be selected.
   */
  actions: readonly { readonly key: string; readonly title: string; readonly run: () => void }[] | undefined
}): void {
  const { count, active, setActive } = list
  const step = (by: number) => setActive(Math.max(0, Math.min(active + by, count - 1)))
  const bindings: KeyBinding[] = [
    { keys: 'j', title: 'Next', group, run: () => step(1) },
    { keys: 'k', title: 'Previous', group, run: () => step(-1) },
    { keys: 'Enter', title: 'Open', group, run: list.open },
    { keys: 'o', title: 'Open', group, run: list.open },
    { keys: '/', title: 'Search', group, run: list.search },
  ]
  if (list.actions)
    bindings.push(
      { keys: 'x', title: 'Select', group, run: list.toggle },
      { keys: 'X', title: 'Select all', group, run: list.toggleAll },
      { keys: 'Escape', title: 'Clear selection', group, run: list.clear },
      ...list.actions.map(({ key, title, run }) => ({ keys: key, title, group, run })),
    )
  useKeys(bindings)
}
