// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.print;

import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.SourcePart;
import dev.anemone.ir.function.CombineSplit;
import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.ir.partition.HashRange;
import dev.anemone.ir.partition.PartitionDivision;
import dev.anemone.ir.property.AntiAffinity;
import dev.anemone.ir.property.ClonedScheduling;
import dev.anemone.ir.property.Decoder;
import dev.anemone.ir.property.Divisibility;
import dev.anemone.ir.property.Encoder;
import dev.anemone.ir.property.KeyEncoder;
import dev.anemone.ir.property.KeyExtractor;
import dev.anemone.ir.property.KeyFilters;
import dev.anemone.ir.property.NativeMemory;
import dev.anemone.ir.property.Parallelism;
import dev.anemone.ir.property.PartitionSet;
import dev.anemone.ir.property.Partitioner;
import dev.anemone.ir.property.Property;
import dev.anemone.ir.property.PushdownCosts;
import dev.anemone.ir.property.ResourceSite;
import dev.anemone.ir.property.ResourceSlot;
import dev.anemone.ir.property.ScheduleGroup;
import dev.anemone.ir.property.SharedOutput;
import dev.anemone.ir.property.SpillStore;
import dev.anemone.ir.property.SplitAssignment;
import dev.anemone.ir.relational.RelationalOperator;
import dev.anemone.ir.relational.exchange.ExchangeWrite;
import dev.anemone.ir.relational.exchange.PartitionedQuery;
import dev.anemone.ir.relational.exchange.PiecedQuery;
import dev.anemone.ir.relational.json.RelationalFunctions;
import dev.anemone.ir.relational.query.RelationalQuery;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Values in a few words. Long lists become their size and a hash, payloads a hash. */
final class ShortForm {

  /** Longest list, in characters, that is printed in full. */
  private static final int LONGEST = 60;

  /** Most divided partitions of a set that are named. */
  private static final int MOST_DIVISIONS = 3;

  private static final double NANOS = 1e9;
  private static final double MEGA = 1e6;

  private ShortForm() {}

  static String of(Object value) {
    if (value instanceof FunctionSpec spec) {
      return ofFunction(spec);
    }
    if (value instanceof Property property) {
      return ofProperty(property);
    }
    if (value instanceof CombineSplit split) {
      return "(" + of(split.partial()) + ", " + of(split.merging()) + ")";
    }
    if (value instanceof Collection<?> collection) {
      return ofCollection(collection);
    }
    return value.toString();
  }

  private static String ofFunction(FunctionSpec spec) {
    Optional<RelationalOperator> operator = RelationalFunctions.operatorOf(spec);
    if (operator.isPresent()) {
      return operator.get().text();
    }
    Optional<RelationalQuery> query = RelationalFunctions.queryOf(spec);
    if (query.isPresent()) {
      return query.get().line();
    }
    Optional<PartitionedQuery> partitioned = RelationalFunctions.partitionedOf(spec);
    if (partitioned.isPresent()) {
      String line = partitioned.get().query().line();
      return spec.urn().equals(RelationalFunctions.PARTITIONS_URN)
          ? line + " on each partition"
          : line;
    }
    Optional<ExchangeWrite> exchange = RelationalFunctions.exchangeOf(spec);
    if (exchange.isPresent()) {
      return exchange.get().text();
    }
    Optional<PiecedQuery> pieced = RelationalFunctions.piecedOf(spec);
    if (pieced.isPresent()) {
      return pieced.get().query().line() + " on pieces of " + pieced.get().pieces();
    }
    return spec.payloadSize() == 0 ? spec.urn() : spec.urn() + "#" + hash(spec.payload());
  }

  private static String ofCollection(Collection<?> collection) {
    List<?> list = new ArrayList<>(collection);
    if (!list.isEmpty() && list.stream().allMatch(SourcePart.class::isInstance)) {
      long bytes = list.stream().mapToLong(part -> ((SourcePart) part).sizeBytes()).sum();
      String text =
          list.stream()
              .map(SourcePart.class::cast)
              .map(part -> of(part.spec()) + part.sizeBytes() + part.hosts())
              .collect(Collectors.joining());
      return list.size() + "#" + hash(text) + (bytes == 0 ? "" : " (" + bytes(bytes) + ")");
    }
    return cut(
        list.stream()
            .map(item -> item instanceof OperatorVertex vertex ? vertex.id() : of(item))
            .collect(Collectors.joining(", ", "[", "]")),
        list.size() + " items");
  }

  private static String ofProperty(Property property) {
    if (property instanceof Enum<?> constant) {
      return constant.name();
    }
    if (property instanceof Parallelism parallelism) {
      return Integer.toString(parallelism.tasks());
    }
    if (property instanceof Parallelism.Coalescing coalescing) {
      return coalescing.messageId();
    }
    if (property instanceof Divisibility.Measured sides) {
      return sides.messageId();
    }
    if (property instanceof ScheduleGroup group) {
      return Integer.toString(group.group());
    }
    if (property instanceof Encoder encoder) {
      return of(encoder.spec());
    }
    if (property instanceof Decoder decoder) {
      return of(decoder.spec());
    }
    if (property instanceof KeyExtractor extractor) {
      return of(extractor.spec()) + (extractor.constant() ? " (one key)" : "");
    }
    if (property instanceof KeyEncoder encoder) {
      return of(encoder.spec());
    }
    if (property instanceof Partitioner.Hash hash) {
      return "Hash(x" + hash.keyRangeMultiplier() + ")";
    }
    if (property instanceof Partitioner.Spread) {
      return "Spread";
    }
    if (property instanceof Partitioner.RoundRobin) {
      return "RoundRobin";
    }
    if (property instanceof SpillStore spill) {
      return spill.store().name();
    }
    if (property instanceof SharedOutput shared) {
      return shared.edgeId();
    }
    if (property instanceof PartitionSet set) {
      return ofPartitions(set);
    }
    if (property instanceof SplitAssignment assignment) {
      return cut(assignment.perTask().toString(), assignment.perTask().size() + " tasks");
    }
    if (property instanceof AntiAffinity antiAffinity) {
      return cut(antiAffinity.tasks().toString(), antiAffinity.tasks().size() + " tasks");
    }
    if (property instanceof ResourceSite site) {
      return cut(site.tasks().toString(), site.tasks().size() + " hosts");
    }
    if (property instanceof ResourceSlot slot) {
      return ofSlot(slot);
    }
    if (property instanceof NativeMemory memory) {
      return bytes(memory.bytes());
    }
    if (property instanceof ClonedScheduling cloned) {
      return "(threshold "
          + cloned.slowTaskThreshold()
          + ", fraction "
          + cloned.maxClonedFraction()
          + ")";
    }
    if (property instanceof KeyFilters keys) {
      return keys.filters().stream()
          .map(KeyFilters.KeyFilter::text)
          .collect(Collectors.joining(", ", "(", ", at most " + keys.mostKeys() + " keys)"));
    }
    if (property instanceof PushdownCosts costs) {
      return ofCosts(costs);
    }
    throw new IllegalStateException("no print of a " + property.getClass().getSimpleName());
  }

  private static String ofCosts(PushdownCosts costs) {
    String operators =
        costs.operators().stream()
            .map(
                operator ->
                    String.format(
                        Locale.ROOT,
                        "%s x%.3g, %.3g/%.3g ns per byte",
                        operator.name(),
                        operator.selectivity(),
                        operator.storageSecondsPerByte() * NANOS,
                        operator.computeSecondsPerByte() * NANOS))
            .collect(Collectors.joining("; "));
    return String.format(
        Locale.ROOT,
        "(%d splits of %.3f MB, ready in %.3f/%.3f s, network %.3f MB/s, storage %d x %d cores,"
            + " compute %d cores, %d slots; %s)",
        costs.splits().count(),
        costs.splits().bytes() / MEGA,
        costs.storage().startSeconds(),
        costs.compute().startSeconds(),
        costs.networkBytesPerSecond() / MEGA,
        costs.storage().nodes(),
        costs.storage().coresPerNode(),
        costs.compute().cores(),
        costs.compute().slots(),
        operators);
  }

  private static String ofPartitions(PartitionSet set) {
    int tasks = set.perTask().size();
    if (tasks > 0 && set.equals(PartitionSet.even(tasks, Math.max(1, set.partitions() / tasks)))) {
      return "even(" + tasks + "x" + set.partitions() / tasks + ")";
    }
    if (set.equals(PartitionSet.none(tasks))) {
      return "none(" + tasks + ")";
    }
    String ranges =
        set.perTask().stream().map(ShortForm::ofRanges).collect(Collectors.joining(" | "));
    String divisions =
        set.divisions().stream().map(ShortForm::ofDivision).collect(Collectors.joining());
    String which =
        set.divisions().size() <= MOST_DIVISIONS
            ? divisions
            : "; " + set.divisions().size() + " partitions divided#" + hash(divisions);
    String what =
        ranges.length() <= LONGEST
            ? ranges
            : tasks + " tasks of " + set.partitions() + " partitions#" + hash(ranges);
    return "(" + what + which + ")";
  }

  private static String ofDivision(PartitionDivision division) {
    String tasks = division.tasks().stream().map(String::valueOf).collect(Collectors.joining(", "));
    return "; "
        + division.range().text()
        + (division.replicated() ? " replicated to " : " divided among ")
        + cut(tasks, division.tasks().size() + " tasks");
  }

  private static String ofRanges(List<HashRange> ranges) {
    return ranges.stream()
        .map(range -> "[" + range.from() + "," + range.to() + ")")
        .collect(Collectors.joining("+"));
  }

  private static String ofSlot(ResourceSlot slot) {
    List<String> words = new ArrayList<>();
    if (slot.memoryMb() > 0) {
      words.add(slot.memoryMb() + " MB");
    }
    if (slot.cores() > 0) {
      words.add(slot.cores() + " cores");
    }
    if (slot.maxConcurrentTasks() > 0) {
      words.add("at most " + slot.maxConcurrentTasks() + " at once");
    }
    return words.isEmpty() ? "(default)" : "(" + String.join(", ", words) + ")";
  }

  private static String cut(String text, String summary) {
    return text.length() <= LONGEST ? text : "(" + summary + "#" + hash(text) + ")";
  }

  private static String bytes(long bytes) {
    String[] units = {"B", "kB", "MB", "GB", "TB", "PB"};
    double value = bytes;
    int unit = 0;
    while (value >= 1000 && unit < units.length - 1) {
      value /= 1000;
      unit++;
    }
    return unit == 0 ? bytes + " B" : String.format(Locale.ROOT, "%.1f %s", value, units[unit]);
  }

  private static String hash(String text) {
    return hash(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String hash(byte[] content) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(content);
      return HexFormat.of().formatHex(digest, 0, 4);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
