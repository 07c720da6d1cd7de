/** The header that user and password of an address become; none where it has neither. */
export function basicAuthorization({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const pair = `${decoded(username)}:${decoded(password)}`;
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
