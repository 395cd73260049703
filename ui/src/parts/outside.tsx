import type { ComponentChildren } from 'preact';

/** The address if it is one of the web; undefined for everything else, such as `javascript:`. */
export function webAddress(text: string | null | undefined): string | undefined {
  try {
    const url = new URL(text ?? '');
    return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : undefined;
  } catch {
    return undefined;
  }
}

/** A link out of data: it opens elsewhere, and tells that place nothing. What is no address of the web is plain text. */
export function Outside({ to, children }: { to: string | null | undefined; children: ComponentChildren }) {
  const address = webAddress(to);
  if (address === undefined) return <span>{children}</span>;
  return (
    <a href={address} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}

/** The path of a file that this service keeps: those are shown and loaded. Everything else is somewhere else. */
export function ownPath(address: string | null | undefined): string | undefined {
  try {
    const { pathname, protocol } = new URL(address ?? '');
    const isOwn = protocol.startsWith('http') && /^\/media\/[0-9a-f-]{16,}\/[^/]+(\/thumbnail)?$/.test(pathname);
    return isOwn ? pathname : undefined;
  } catch {
    return undefined;
  }
}
