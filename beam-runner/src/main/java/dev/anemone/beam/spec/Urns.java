// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.spec;

/** The URNs of the function specs that this runner understands. */
public final class Urns {

  /** What all of them begin with. */
  public static final String PREFIX = "anemone:beam:";

  /** Source: one empty byte array in the global window. No payload, neither vertex nor part. */
  public static final String IMPULSE = PREFIX + "impulse:v1";

  /**
   * Source: a bounded source. The vertex carries a {@link ReadSpec}, each part a serialized {@link
   * org.apache.beam.sdk.io.BoundedSource}.
   */
  public static final String READ = PREFIX + "read:v1";

  /** Operator: a DoFn, {@link ParDoSpec}. */
  public static final String PAR_DO = PREFIX + "par_do:v1";

  /** Group operator: a DoFn with state or timers, {@link ParDoSpec}; groups hold whole keys. */
  public static final String STATEFUL_PAR_DO = PREFIX + "stateful_par_do:v1";

  /**
   * Operator: makes the restrictions of a splittable DoFn, {@link ParDoSpec}. Its output are pairs
   * of an element and a restriction, each in one window.
   */
  public static final String SPLIT_RESTRICTIONS = PREFIX + "split_restrictions:v1";

  /** Operator: processes such pairs with the splittable DoFn, {@link ParDoSpec}. */
  public static final String PROCESS_RESTRICTIONS = PREFIX + "process_restrictions:v1";

  /**
   * Operator: processes such pairs for some time, and divides what is left, {@link
   * DivideRestrictionsSpec}.
   */
  public static final String DIVIDE_RESTRICTIONS = PREFIX + "divide_restrictions:v1";

  /** Operator: processes what is left of such pairs with the splittable DoFn, {@link ParDoSpec}. */
  public static final String PROCESS_RESTS = PREFIX + "process_rests:v1";

  /** Operator: gives elements new windows, {@link AssignWindowsSpec}. */
  public static final String ASSIGN_WINDOWS = PREFIX + "assign_windows:v1";

  /** Group operator: hands on the elements of whole keys one by one, {@link GroupByKeySpec}. */
  public static final String RESHUFFLE_BY_KEY = PREFIX + "reshuffle_by_key:v1";

  /** Group operator: collects the values of a key and window, {@link GroupByKeySpec}. */
  public static final String GROUP_BY_KEY = PREFIX + "group_by_key:v1";

  /** Operator or group operator, by phase: {@link CombineSpec}. */
  public static final String COMBINE = PREFIX + "combine:v1";

  /** Operator: combines the values of elements that are grouped already, {@link CombineSpec}. */
  public static final String COMBINE_GROUPED_VALUES = PREFIX + "combine_grouped_values:v1";

  /** Operator: hands its input on. No payload. */
  public static final String IDENTITY = PREFIX + "identity:v1";

  /**
   * Operator: hands on what the attempts of its task agree on, whatever their input is, {@link
   * ElementCoderSpec}.
   */
  public static final String STABLE_INPUT = PREFIX + "stable_input:v1";

  /** Encoder and decoder of elements, {@link ElementCoderSpec}. */
  public static final String WINDOWED_VALUE = PREFIX + "windowed_value:v1";

  /**
   * Key extractor: the key of a KV, and its window where grouping asks for it, {@link
   * GroupingSpec}.
   */
  public static final String KV_KEY = PREFIX + "kv_key:v1";

  /** Key encoder: the payload is a {@link org.apache.beam.sdk.coders.Coder}. */
  public static final String CODER = PREFIX + "coder:v1";

  private Urns() {}
}
