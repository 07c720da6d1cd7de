import { type ReactNode, useState } from 'react';
import { ownAddress } from '../shop/api';

/** A product's picture; where it can't be loaded, a plain surface. Its name stands beside it, so it has none of its own. */
export function Picture({ address, size = 300 }: { address: string | undefined; size?: number }): ReactNode {
  const [failed, setFailed] = useState<string>();
  const source = ownAddress(address ?? '');
  if (source === '' || failed === source) return <div className="picture" aria-hidden="true" />;
  return (
    <img
      className="picture"
      src={source}
      alt=""
      width={size}
      height={size}
      loading="lazy"
      onError={() => setFailed(source)}
    />
  );
}
