// SPDX-License-Identifier: Apache-2.0
/** One Beam word count on NemoRunner and on the runners of Beam, side by side. */
package dev.anemone.evaluation.compare.wordcount;
