/** Selector for elements that Tab reaches. */
const tabbable =
  ':is(a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex="0"]):not([tabindex="-1"])'

/** An ancestor of the focused element, and the index of its child that contains that element. */
interface Step {
  readonly ancestor: Element
  readonly place: number
}

/** Returns the ancestors of an element, the nearest first. */
function stepsOf(element: Element): Step[] {
  const steps: Step[] = []
  for (let child = element; child.parentElement; child = child.parentElement)
    steps.push({ ancestor: child.parentElement, place: [...child.parentElement.children].indexOf(child) })
  return steps
}

/** Returns the element itself or its first descendant that Tab reaches. */
const firstIn = (element: Element | undefined): HTMLElement | null =>
  element?.matches(tabbable)
    ? (element as HTMLElement)
    : (element?.querySelector<HTMLElement>(tabbable) ?? null)

/** Returns the focusable element nearest to a removed one: its replacement, one after it, or one before it. */
function nearest(steps: readonly Step[]): HTMLElement | null {
  for (const { ancestor, place } of steps) {
    if (!ancestor.isConnected) continue
    const children = [...ancestor.children]
    for (const child of [...children.slice(place), ...children.slice(0, place).reverse()]) {
      const found = firstIn(child)
      if (found) return found
    }
    if (ancestor.matches('main, dialog')) return ancestor as HTMLElement
  }
  return null
}

/**
 * Moves the focus to the nearest element when the focused one is removed, for example the button of a row that it deletes.
 * Browsers would move it to the start of the page. Only keyboard focus is moved: a touch must not open the screen
 * keyboard. Dialogs and menus return the focus by themselves.
 */
export function keepFocus(): void {
  let focused: Element | undefined
  let steps: readonly Step[] = []
  addEventListener('focusin', ({ target }) => {
    focused = target instanceof Element && target.matches(':focus-visible') ? target : undefined
    steps = focused ? stepsOf(focused) : []
  })
  new MutationObserver(() => {
    if (!focused || focused.isConnected) return
    const removed = focused
    const left = steps
    focused = undefined
    // A dialog or menu that closes returns the focus within this frame.
    requestAnimationFrame(() => {
      if (!removed.isConnected && document.activeElement === document.body) nearest(left)?.focus()
    })
  }).observe(document, { childList: true, subtree: true })
}
