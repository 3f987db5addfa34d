import { useEffect, useLayoutEffect, useRef } from 'react'
import { bindKeys, type KeyBinding } from './key-bindings.ts'

/** Binds keys while the component is shown. Their number and order must stay the same. */
export function useKeys(bindings: readonly KeyBinding[]): void {
  const latest = useRef(bindings)
  // A layout effect, so a key pressed right after rendering acts on what is shown.
  useLayoutEffect(() => {
    latest.current = bindings
  })
  useEffect(
    () =>
      bindKeys(
        latest.current.map(({ keys, title, group }, index) => ({
          keys,
          title,
          group,
          run: () => latest.current[index]?.run(),
        })),
      ),
    [],
  )
}
