// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.options;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.anemone.ir.property.ResourcePriority;
import dev.anemone.runtime.engine.ExecutorGroup;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * The JSON file of Apache Nemo that describes executors. Its executors run {@code capacity} tasks
 * at a time each; ours run one, so one of Nemo's is {@code capacity} of ours, which share its
 * memory evenly.
 *
 * @param file where it is, for messages
 * @param entries what it says; not empty
 */
public record ExecutorFile(Path file, List<Entry> entries) {

  private static final String FIELDS = "type, memory_mb, capacity, num, cores and nodes";
  private static final ObjectMapper JSON =
      new ObjectMapper()
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);

  /**
   * Executors of Apache Nemo that are alike.
   *
   * @param kind for which vertices they are
   * @param memoryMb memory of each in MB
   * @param capacity tasks that each runs at a time
   * @param number how many there are
   * @param cores virtual cores of a task
   * @param nodes hosts where they should run; empty for any
   */
  record Entry(
      ResourcePriority kind,
      int memoryMb,
      int capacity,
      int number,
      int cores,
      List<String> nodes) {

    Entry {
      nodes = List.copyOf(nodes);
    }

    /** How many tasks they run at a time, at most {@link Integer#MAX_VALUE}. */
    int slots() {
      return Math.multiplyExact(capacity, number);
    }
  }

  public ExecutorFile {
    entries = List.copyOf(entries);
  }

  /**
   * Reads a file.
   *
   * @throws InvalidPipelineException when it cannot be read or has something wrong; names the file,
   *     the entry by its index, and the field
   */
  public static ExecutorFile read(Path file) {
    JsonNode root;
    try {
      root = JSON.readTree(file.toFile());
    } catch (JsonProcessingException e) {
      throw new InvalidPipelineException(
          in(file)
              + " is not JSON: "
              + e.getOriginalMessage()
              + " (line "
              + e.getLocation().getLineNr()
              + "). "
              + example(),
          e);
    } catch (IOException e) {
      throw new InvalidPipelineException(
          in(file) + " cannot be read: " + e + ". Name a local file that this user can read.", e);
    }
    if (!root.isArray() || root.isEmpty()) {
      throw new InvalidPipelineException(
          in(file) + " must be an array with at least one entry. " + example());
    }
    List<Entry> entries = new ArrayList<>();
    for (JsonNode node : root) {
      entries.add(new EntryReader(file, entries.size(), node).read());
    }
    return new ExecutorFile(file, entries);
  }

  /** Tasks that all of them run at a time. */
  public int slots() {
    try {
      return entries.stream().mapToInt(Entry::slots).reduce(0, Math::addExact);
    } catch (ArithmeticException e) {
      throw new InvalidPipelineException(
          in(file) + " has more executors than can be counted. Lower num or capacity.", e);
    }
  }

  /**
   * Executors that run one task at a time.
   *
   * @throws InvalidPipelineException when one would have less memory than a JVM needs
   */
  public List<ExecutorGroup> groups() {
    slots();
    List<ExecutorGroup> groups = new ArrayList<>();
    for (Entry entry : entries) {
      int memoryMb = entry.memoryMb() / entry.capacity();
      if (memoryMb < ExecutorGroup.LEAST_MEMORY_MB) {
        throw new InvalidPipelineException(
            in(file)
                + ", entry "
                + groups.size()
                + ": memory_mb "
                + entry.memoryMb()
                + " for a capacity of "
                + entry.capacity()
                + " is "
                + memoryMb
                + " MB for each task, but each runs in a JVM of its own, which needs at least "
                + ExecutorGroup.LEAST_MEMORY_MB
                + " MB. Raise memory_mb, or lower capacity and raise num.");
      }
      groups.add(
          new ExecutorGroup(
              entry.kind(), memoryMb, entry.cores(), Optional.of(entry.slots()), entry.nodes()));
    }
    return groups;
  }

  private static String in(Path file) {
    return "--executorJson=" + file;
  }

  private static String example() {
    return "Write for example [{\"type\": \"Compute\", \"memory_mb\": 4096, \"capacity\": 4, \"num\":"
        + " 2}].";
  }

  /**
   * Reads one entry.
   *
   * @param file for messages
   * @param index from 0
   */
  private record EntryReader(Path file, int index, JsonNode node) {

    Entry read() {
      if (!node.isObject()) {
        throw new InvalidPipelineException(
            in(file) + ", entry " + index + " is not an object. " + example());
      }
      for (Iterator<String> fields = node.fieldNames(); fields.hasNext(); ) {
        requireKnown(fields.next());
      }
      return new Entry(
          kind(),
          number("memory_mb", Optional.empty()),
          number("capacity", Optional.empty()),
          number("num", Optional.of(1)),
          number("cores", Optional.of(1)),
          nodes());
    }

    private void requireKnown(String field) {
      switch (field) {
        case "type", "memory_mb", "capacity", "num", "cores", "nodes" -> {}
        case "max_offheap_ratio" ->
            throw wrong(
                field, "cannot be given for each executor. Use --offHeapMemoryMb for all of them.");
        case "poison_sec" ->
            throw wrong(
                field, "is for tests of Apache Nemo, and nothing here ends executors. Remove it.");
        default -> throw wrong(field, "is not known. There are " + FIELDS + ".");
      }
    }

    private ResourcePriority kind() {
      String type = node.path("type").asText();
      return switch (type) {
        case "Transient" -> ResourcePriority.TRANSIENT;
        case "Reserved" -> ResourcePriority.RESERVED;
        case "Compute" -> ResourcePriority.NONE;
        default -> throw wrong("type", "must be Transient, Reserved or Compute" + found("type"));
      };
    }

    private int number(String field, Optional<Integer> whenMissing) {
      JsonNode value = node.path(field);
      if (value.isMissingNode() && whenMissing.isPresent()) {
        return whenMissing.get();
      }
      if (!value.isIntegralNumber() || !value.canConvertToInt() || value.intValue() < 1) {
        throw wrong(field, "must be a whole number of at least 1" + found(field));
      }
      return value.intValue();
    }

    private List<String> nodes() {
      JsonNode value = node.path("nodes");
      if (value.isMissingNode()) {
        return List.of();
      }
      List<String> nodes = new ArrayList<>();
      for (JsonNode host : value) {
        if (host.isTextual() && !host.textValue().isBlank()) {
          nodes.add(host.textValue().strip());
        }
      }
      if (!value.isArray() || nodes.isEmpty() || nodes.size() != value.size()) {
        throw wrong("nodes", "must be an array of host names" + found("nodes"));
      }
      return nodes;
    }

    private String found(String field) {
      return node.has(field) ? ", and is " + node.get(field) + "." : ", and is missing.";
    }

    private InvalidPipelineException wrong(String field, String message) {
      return new InvalidPipelineException(
          in(file) + ", entry " + index + ": field '" + field + "' " + message);
    }
  }
}
