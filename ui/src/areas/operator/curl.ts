// Requests as commands of a shell.

export interface Sent {
  method: string;
  url: string;
  headers: readonly { name: string; value: string }[];
  body?: string | undefined;
  /** In place of a body: a file by the name of its field. */
  file?: { field: string; name: string } | undefined;
}

/** A word of a shell, whatever is in it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The command that sends the same bytes with the same headers. */
export function curl({ method, url, headers, body, file }: Sent): string {
  const hasBody = body !== undefined || file !== undefined;
  const isPlain = method === (hasBody ? 'POST' : 'GET');
  return [
    `curl -isSg ${isPlain ? '' : `-X ${method} `}${quoted(url)}`,
    ...headers.map(({ name, value }) => `  -H ${quoted(`${name}: ${value}`)}`),
    ...(file === undefined ? [] : [`  -F ${quoted(`${file.field}=@${file.name}`)}`]),
    ...(body === undefined ? [] : [`  --data-raw ${quoted(body)}`]),
  ].join(' \\\n');
}
