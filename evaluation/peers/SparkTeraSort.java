// SPDX-License-Identifier: Apache-2.0
import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.input.FixedLengthInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.spark.Partitioner;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;

/**
 * Sorts records of 100 bytes by their first 10 with Spark: one shuffle into ranges, each sorted as
 * it is read. The keys of the benchmark are spread evenly, so the ranges need no sample.
 *
 * <p>Arguments: directory of the input, directory of the output.
 */
public final class SparkTeraSort {
  private static final int RECORD_BYTES = 100;
  private static final int KEY_BYTES = 10;

  private SparkTeraSort() {}

  public static void main(String[] args) {
    SparkConf settings = new SparkConf().setAppName("TeraSort");
    try (JavaSparkContext spark = new JavaSparkContext(settings)) {
      Configuration hadoop = new Configuration(spark.hadoopConfiguration());
      FixedLengthInputFormat.setRecordLength(hadoop, RECORD_BYTES);
      JavaPairRDD<byte[], byte[]> records =
          spark
              .newAPIHadoopFile(
                  args[0],
                  FixedLengthInputFormat.class,
                  LongWritable.class,
                  BytesWritable.class,
                  hadoop)
              .mapToPair(record -> divided(record._2()));
      int ranges = Math.max(records.getNumPartitions(), spark.defaultParallelism());
      records
          .repartitionAndSortWithinPartitions(new EvenRanges(ranges), new ByteOrder())
          .saveAsNewAPIHadoopFile(args[1], byte[].class, byte[].class, Records.class, hadoop);
    }
  }

  private static Tuple2<byte[], byte[]> divided(BytesWritable record) {
    byte[] bytes = record.getBytes();
    return new Tuple2<>(
        Arrays.copyOf(bytes, KEY_BYTES), Arrays.copyOfRange(bytes, KEY_BYTES, RECORD_BYTES));
  }

  /** Unsigned, from the first byte on. */
  private static final class ByteOrder implements Comparator<byte[]>, java.io.Serializable {
    private static final long serialVersionUID = 1;

    @Override
    public int compare(byte[] one, byte[] other) {
      return Arrays.compareUnsigned(one, other);
    }
  }

  /** Ranges of the same width, by the first four bytes of a key. */
  private static final class EvenRanges extends Partitioner {
    private static final long serialVersionUID = 1;

    private final int count;

    EvenRanges(int count) {
      this.count = count;
    }

    @Override
    public int numPartitions() {
      return count;
    }

    @Override
    public int getPartition(Object key) {
      byte[] bytes = (byte[]) key;
      long prefix = 0;
      for (int i = 0; i < Integer.BYTES; i++) {
        prefix = prefix << Byte.SIZE | Byte.toUnsignedInt(bytes[i]);
      }
      return (int) (prefix * count >>> Integer.SIZE);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof EvenRanges ranges && ranges.count == count;
    }

    @Override
    public int hashCode() {
      return count;
    }
  }

  /** Writes records and nothing between them. */
  public static final class Records extends FileOutputFormat<byte[], byte[]> {
    @Override
    public RecordWriter<byte[], byte[]> getRecordWriter(TaskAttemptContext context)
        throws IOException {
      Path file = getDefaultWorkFile(context, "");
      FSDataOutputStream out = file.getFileSystem(context.getConfiguration()).create(file, false);
      return new RecordWriter<>() {
        @Override
        public void write(byte[] key, byte[] rest) throws IOException {
          out.write(key);
          out.write(rest);
        }

        @Override
        public void close(TaskAttemptContext ended) throws IOException {
          out.close();
        }
      };
    }
  }
}
