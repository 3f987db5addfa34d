const lengthMaximum = 48

/** A name for a banner in reports, made of its title: another one than those that are taken. */
export function bannerId(title: string, taken: readonly string[]): string {
  const plain = title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, lengthMaximum)
  const base = plain === '' ? 'banner' : plain
  let id = base
  for (let number = 2; taken.includes(id); number += 1) id = `${base}-${number}`
  return id
}
