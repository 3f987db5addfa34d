/** Shows a shortcut next to its action. Hidden from screen readers. */
export const KeyHint = ({ keys }: { keys: string }) => (
  <span className="key-hint" aria-hidden="true">
    {keys}
  </span>
)
