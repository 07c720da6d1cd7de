import { useEffect } from 'react';
import { useShop } from '../shop/shop-view';

export function useTitle(title: string): void {
  const { name } = useShop();
  useEffect(() => {
    document.title = title === '' ? name : `${title} · ${name}`;
  }, [title, name]);
}
