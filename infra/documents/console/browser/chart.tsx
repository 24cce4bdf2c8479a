/** A product's stock over time, drawn by uPlot. The figures beside it say the same to who can't see it. */
import { useEffect, useRef } from "preact/hooks";
import UPlot from "uplot";

export interface Point {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly on_hand: number;
  readonly available: number;
}

interface ChartProps {
  /** The oldest first. */
  readonly points: readonly Point[];
  /** The moment that is marked. */
  readonly at: number | undefined;
}

const height = 220;

/** Colors are the page's, so they follow its light or dark scheme. */
const colorOf = (element: Element, name: string): string => {
  const probe = document.createElement("i");
  probe.style.color = `var(--${name})`;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
};

function draw(place: HTMLElement, points: readonly Point[]): UPlot {
  const stepped = UPlot.paths.stepped?.({ align: 1 });
  const series = (label: string, color: string) => ({
    label,
    stroke: colorOf(place, color),
    width: 2,
    points: { show: false },
    ...(stepped === undefined ? {} : { paths: stepped }),
  });
  const axis = {
    stroke: colorOf(place, "soft"),
    grid: { stroke: colorOf(place, "line"), width: 1 },
    ticks: { show: false },
    font: "12px system-ui",
  };
  const options = {
    width: place.clientWidth,
    height,
    legend: { live: false },
    cursor: { drag: { x: false, y: false } },
    series: [{}, series("On hand", "accent"), series("Available", "good")],
    axes: [axis, { ...axis, size: 48 }],
  };
  const data: UPlot.AlignedData = [
    points.map(({ at }) => at / 1000),
    points.map(({ on_hand }) => on_hand),
    points.map(({ available }) => available),
  ];
  return new UPlot(options, data, place);
}

export function Chart({ points, at }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<UPlot>(null);
  useEffect(() => {
    const { current } = place;
    if (current === null) return;
    chart.current = draw(current, points);
    const fit = new ResizeObserver(() => chart.current?.setSize({ width: current.clientWidth, height }));
    fit.observe(current);
    return () => {
      fit.disconnect();
      chart.current?.destroy();
    };
  }, [points]);
  useEffect(() => {
    if (at !== undefined) chart.current?.setCursor({ left: chart.current.valToPos(at / 1000, "x"), top: 10 });
  }, [at]);
  const last = points.at(-1);
  const label = `Stock over time: ${last?.on_hand} on hand and ${last?.available} available now`;
  return <div ref={place} class="chart" role="img" aria-label={label} />;
}
