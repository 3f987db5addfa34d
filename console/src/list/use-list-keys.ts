import type { KeyBinding } from '../ui/keys/key-bindings.ts'
import { useKeys } from '../ui/keys/use-keys.ts'

const group = 'This list'

/** The keys of a list. */
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
   * The same ones, as many, for as long as the list is shown. Without any nothing can be marked either: there would be
   * nothing to do with it.
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
