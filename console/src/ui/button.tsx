import type { ComponentProps } from 'react'

/**
 * Renders a button; a plain one by default. While `busy` it ignores presses. It is not `disabled` meanwhile: browsers take
 * the focus away from a disabled element.
 */
export function PushButton({
  kind = '',
  busy = false,
  onClick,
  ...rest
}: ComponentProps<'button'> & { kind?: string; busy?: boolean }) {
  return (
    <button
      type="button"
      {...rest}
      className={`button ${kind}`}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={(event) => {
        if (busy) event.preventDefault()
        else onClick?.(event)
      }}
    />
  )
}
