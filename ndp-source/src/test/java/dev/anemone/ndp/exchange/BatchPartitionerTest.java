// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ir.relational.DecimalType;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.SimpleType;
import dev.anemone.ir.relational.exchange.Partitioning;
import dev.anemone.ndp.engine.ArrowTypes;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.Test;

class BatchPartitionerTest {

  private static final RowType ROW =
      RowType.of(
          Field.nullable("flag", SimpleType.BOOLEAN),
          Field.nullable("number", SimpleType.INT32),
          Field.nullable("ratio", SimpleType.DOUBLE),
          Field.nullable("price", new DecimalType(12, 2)),
          Field.nullable("day", SimpleType.DATE),
          Field.nullable("text", SimpleType.STRING));

  private static final List<String> NAMES = ROW.fields().stream().map(Field::name).toList();

  /** Few values of each column, so that rows repeat; texts of up to a kilobyte. */
  private static List<Object> row(Random random) {
    List<Object> row = new ArrayList<>();
    row.add(random.nextBoolean());
    row.add(random.nextInt(40) - 20);
    row.add(List.of(0.0, -0.0, 1.5, Double.NaN, Double.NEGATIVE_INFINITY).get(random.nextInt(5)));
    row.add(BigDecimal.valueOf(random.nextInt(40) - 20, 2));
    row.add(random.nextInt(9) - 4);
    row.add("ä".repeat(random.nextInt(10) == 0 ? random.nextInt(500) : random.nextInt(3)));
    for (int i = 0; i < row.size(); i++) {
      if (random.nextInt(8) == 0) {
        row.set(i, null);
      }
    }
    return row;
  }

  private static void fill(VectorSchemaRoot batch, List<List<Object>> rows) {
    batch.clear();
    batch.allocateNew();
    for (int i = 0; i < rows.size(); i++) {
      for (int column = 0; column < NAMES.size(); column++) {
        Object value = rows.get(i).get(column);
        if (value == null) {
          continue;
        }
        FieldVector vector = batch.getVector(column);
        if (vector instanceof BitVector bits) {
          bits.setSafe(i, (Boolean) value ? 1 : 0);
        } else if (vector instanceof IntVector ints) {
          ints.setSafe(i, (Integer) value);
        } else if (vector instanceof Float8Vector doubles) {
          doubles.setSafe(i, (Double) value);
        } else if (vector instanceof DecimalVector decimals) {
          decimals.setSafe(i, (BigDecimal) value);
        } else if (vector instanceof DateDayVector days) {
          days.setSafe(i, (Integer) value);
        } else {
          ((VarCharVector) vector).setSafe(i, ((String) value).getBytes(StandardCharsets.UTF_8));
        }
      }
    }
    batch.setRowCount(rows.size());
  }

  private static List<Object> read(VectorSchemaRoot batch, int row) {
    List<Object> values = new ArrayList<>();
    for (FieldVector vector : batch.getFieldVectors()) {
      Object value = vector.getObject(row);
      values.add(vector instanceof VarCharVector && value != null ? value.toString() : value);
    }
    return values;
  }

  /** What comes out of each partition when rows go in, a few at a time. */
  private static Map<Integer, List<List<Object>>> partitions(
      List<List<Object>> rows, Partitioning partitioning, int partitions, int batchRows)
      throws Exception {
    Map<Integer, List<byte[]>> batches = new TreeMap<>();
    try (RootAllocator memory = new RootAllocator();
        VectorSchemaRoot batch = VectorSchemaRoot.create(ArrowTypes.schemaOf(ROW), memory);
        BatchPartitioner partitioner =
            new BatchPartitioner(
                ROW,
                partitioning,
                partitions,
                (partition, bytes) ->
                    batches.computeIfAbsent(partition, any -> new ArrayList<>()).add(bytes))) {
      for (int start = 0; start < rows.size(); start += batchRows) {
        fill(batch, rows.subList(start, Math.min(rows.size(), start + batchRows)));
        partitioner.accept(batch);
      }
      partitioner.flush();
    }
    Map<Integer, List<List<Object>>> read = new TreeMap<>();
    for (Map.Entry<Integer, List<byte[]>> partition : batches.entrySet()) {
      List<List<Object>> rowsOfIt = new ArrayList<>();
      try (ExchangedBatches reader = ExchangedBatches.of(ROW, partition.getValue().iterator())) {
        while (reader.loadNextBatch()) {
          for (int i = 0; i < reader.getVectorSchemaRoot().getRowCount(); i++) {
            rowsOfIt.add(read(reader.getVectorSchemaRoot(), i));
          }
        }
      }
      read.put(partition.getKey(), rowsOfIt);
    }
    return read;
  }

  private static List<List<Object>> rows(Random random, int count) {
    List<List<Object>> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rows.add(row(random));
    }
    return rows;
  }

  private static List<String> sorted(Map<Integer, List<List<Object>>> partitions) {
    return partitions.values().stream().flatMap(List::stream).map(List::toString).sorted().toList();
  }

  @Property(tries = 60)
  void equalKeysComeTogetherAndNothingIsLost(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 40) int partitions) throws Exception {
    Random random = new Random(seed);
    List<List<Object>> rows = rows(random, random.nextInt(3000));
    List<String> keys =
        random
            .ints(1 + random.nextInt(3), 0, NAMES.size())
            .mapToObj(NAMES::get)
            .distinct()
            .toList();
    Partitioning hash = new Partitioning.Hash(keys);
    Map<Integer, List<List<Object>>> divided =
        partitions(rows, hash, partitions, 1 + random.nextInt(700));
    assertThat(sorted(divided)).isEqualTo(rows.stream().map(List::toString).sorted().toList());
    Map<List<Object>, Integer> places = new HashMap<>();
    divided.forEach(
        (partition, those) -> {
          for (List<Object> row : those) {
            List<Object> key = new ArrayList<>();
            keys.forEach(name -> key.add(comparable(row.get(NAMES.indexOf(name)))));
            assertThat(places.putIfAbsent(key, partition)).isIn(null, partition);
          }
        });
    assertThat(partitions(rows, hash, partitions, 1 + random.nextInt(700)).keySet())
        .as("another division into batches")
        .isEqualTo(divided.keySet());
  }

  /** A zero equals a zero of the other sign. */
  private static Object comparable(Object value) {
    return value instanceof Double number && number == 0 ? Double.valueOf(0) : value;
  }

  @Property(tries = 20)
  void allRowsGoToEachOrToOne(@ForAll long seed) throws Exception {
    Random random = new Random(seed);
    List<List<Object>> rows = rows(random, 1 + random.nextInt(2000));
    List<String> all = rows.stream().map(List::toString).sorted().toList();
    Map<Integer, List<List<Object>>> replicated =
        partitions(rows, new Partitioning.Replicate(), 3, 500);
    assertThat(replicated.keySet()).containsExactly(0, 1, 2);
    replicated.values().forEach(each -> assertThat(sorted(Map.of(0, each))).isEqualTo(all));
    Map<Integer, List<List<Object>>> gathered = partitions(rows, new Partitioning.Gather(), 1, 500);
    assertThat(gathered.keySet()).containsExactly(0);
    assertThat(sorted(gathered)).isEqualTo(all);
    assertThat(sorted(partitions(rows, new Partitioning.Spread(), 7, 500))).isEqualTo(all);
  }

  @Test
  void numbersInARowAreSpreadEvenly() throws Exception {
    List<List<Object>> rows = new ArrayList<>();
    for (int i = 0; i < 40_000; i++) {
      rows.add(Arrays.asList(true, i * 4, 0.0, BigDecimal.ONE.setScale(2), 1, ""));
    }
    Map<Integer, List<List<Object>>> divided =
        partitions(rows, new Partitioning.Hash(List.of("number")), 16, 5000);
    divided.values().forEach(partition -> assertThat(partition.size()).isBetween(2_300, 2_700));
  }

  @Test
  void bytesOfNoBatchAreRefused() throws Exception {
    try (ExchangedBatches reader =
        ExchangedBatches.of(ROW, List.of(new byte[] {1, 2, 3}).iterator())) {
      assertThatThrownBy(reader::loadNextBatch).isInstanceOf(IOException.class);
    }
  }
}
