// SPDX-License-Identifier: Apache-2.0
/** What a build says of its tests at its end. */
package dev.anemone.buildreport;
